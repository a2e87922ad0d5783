package Daedal "Components of engineering systems: electrical, mechanical, thermal, hydraulic, fluids, blocks"
end Daedal;
