#include "mechanisms/study.h"
#include <stdio.h>
static const double G=9.81, M=2, L=2.5;
static const double mass[4]={2,0,0,2};
static int weight(double t,const double*q,const double*v,double*f,void*u){(void)t;(void)q;(void)v;(void)u;f[0]=0;f[1]=-M*G;return 0;}
static int circle(double t,const double*q,double*p,void*u){(void)t;(void)u;p[0]=q[0]*q[0]+q[1]*q[1]-L*L;return 0;}
static int circle_q(double t,const double*q,double*p,void*u){(void)t;(void)u;p[0]=2*q[0];p[1]=2*q[1];return 0;}
static void ex(const char*method,const char*formulation,const char*projection,double rtol,double x){
    dae_mechanical_form form={.nq=2,.holonomic=1,.constant_mass=mass,.force=weight,.constraint=circle,.constraint_q=circle_q};
    dae_options o=dae_options_default();o.method=method;o.formulation=formulation;o.projection=projection;o.rtol=o.atol=rtol;
    dae_problem*p=dae_problem_mechanical(&form);dae_solver*s=dae_solver_create(p,&o);
    double st[5]={x,x==0.86?2.35:sqrt(L*L-x*x),0,0,(double)NAN},y[5];
    dae_status status=dae_solver_start(s,0,st);
    printf("%s %s %s %g %g: %d %s\n",method,formulation,projection,rtol,x,status,dae_solver_message(s));
    if(status==DAE_OK){dae_solver_at(s,0,y,NULL);printf(" start %.10g %.10g %g %g %g\n",y[0],y[1],y[2],y[3],y[4]);}
    double m=0,next=5;
    while(status==DAE_OK&&dae_solver_time(s)<50){status=dae_solver_step(s,50);double t=dae_solver_time(s);dae_solver_at(s,t,y,NULL);double ph;circle(t,y,&ph,NULL);m=fmax(m,fabs(ph)); 
      if(t>=next){printf("  %g: phi %g (max %g) E %g\n",t,ph,m,M*(y[2]*y[2]+y[3]*y[3])/2+M*G*y[1]);next+=10;}}
    printf("  steps %zu %s\n",dae_solver_stats(s)->steps,dae_solver_message(s));
    dae_solver_free(s);dae_problem_free(p);
}
void study_drift(study*s){(void)s;
 ex("dopri5","index1","none",1e-3,0.86);
 ex("dopri5","index1","none",1e-3,0.8);
 ex("dopri5","index1","none",1e-6,0.8);
 ex("dopri5","baumgarte:xi=0.8,omega=2","none",1e-3,0.8);
 ex("dopri5","baumgarte:xi=0.8,omega=2","none",1e-6,0.8);
 ex("dopri5","index1","coordinate",1e-3,0.8);
 ex("dopri5","index1","coordinate",1e-6,0.8);
}
