// with ../examples/library/hydrostatic_drive.mo
model HydrostaticDrive "pump and motor in a closed circuit: of components, and their equations by hand"
  hydrostatic_drive parts;
  import Modelica.Constants.pi;
  Real p1(start = 2e6, fixed = true), p2(start = 2e6, fixed = true), w(start = 0, fixed = true), d = p1 - p2;
  Real q = 2e-5/(2*pi)*150*sin(0.4*pi*time) - 4e-5/(2*pi)*w - 2e-12*d "what the pump delivers and the motor does not take";
  Real r = valve(d, 2e-5, 1e7, 1e6) - valve(-d, 2e-5, 1e7, 1e6);
  function valve "flow of a valve that opens from crack to crack + range"
    input Real d, A, crack, range;
    output Real q;
  protected
    Real opening = if d < crack then 0 elseif d > crack + range then 1 else (d - crack)/range;
    Real d_cr = 430*(12*pi*0.61*40e-6)^2/(4*A/pi);
  algorithm
    q := 0.61*(1e-6*A + (A - 1e-6*A)*opening)*sqrt(2/860)*d/(d^2 + d_cr^2)^0.25;
  end valve;
equation
  5e-4/1.4e9*der(p1) = q - r + valve(2e6 - p1, 3e-5, 2e4, 8e4);
  5e-4/1.4e9*der(p2) = r - q + valve(2e6 - p2, 3e-5, 2e4, 8e4);
  0.5*der(w) = 4e-5/(2*pi)*d - 40*w*abs(w)/1e4;
public
  Real error_p[2] = {parts.first.p - p1, parts.second.p - p2}/1e7, error_w = (parts.wheel.w - w)/100;
  Real error_power = (parts.engine.flange.tau + 2e-5/(2*pi)*d)/100;
  annotation(experiment(StopTime = 10));
end HydrostaticDrive;
