// What boot.js hands to the engine: make, the function around the engine, calls that boot.

export const { PAINT, WATCHED, guard, info, motions, readyOf, titleOf, watchDrags } = boot;
