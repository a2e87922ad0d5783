#include "mechanisms/study.h"
void study_andrews(study *s){(void)s;}
void study_orders(study *s){(void)s;}
void study_drift(study *s){(void)s;}
