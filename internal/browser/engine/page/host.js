// What boot.js passes to the engine: boot is the parameter of the function around the engine.

export const { PAINT, WATCHED, guard, hearForms, info, motions, readyOf, titleOf, watchDrags } = boot;
