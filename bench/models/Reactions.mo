model Reactions
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
  Real y4(start = 0, fixed = true), y5(start = 0, fixed = true), y6(start = 0, fixed = true);
  Real y7(start = 0, fixed = true), y8(start = 0.0057, fixed = true);
  Real forth, back, far_back, red, slow, fuse, fall, gain, lose, pair;
equation
  forth = 1.71*y1; back = 0.43*y2; far_back = 8.32*y3; red = 8.32*y2; slow = 1.71*y3;
  gain = 0.43*(y6 + y7); lose = 1.745*y5; pair = 280*y6*y8; fall = 1.81*y7; fuse = 0.69*y4;
  der(y1) = -forth + back + far_back + 0.0007;
  der(y2) = forth - back - red;
  der(y3) = -far_back - slow + 0.43*y4 + 0.035*y5;
  der(y4) = red + slow - 0.43*y4 - fuse;
  der(y5) = gain - lose;
  der(y6) = -pair + fuse + 1.71*y5 - 0.43*y6 + 0.69*y7;
  der(y7) = pair - fall;
  der(y8) = fall - pair;
end Reactions;
