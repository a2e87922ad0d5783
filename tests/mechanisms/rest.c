#include "mechanisms/study.h"
void study_drift(study *s){(void)s;}
