// What stands around the bundles (bundle.go), and what package browser adds to the world.

declare const boot: any; // of main.js and its modules
declare function make(boot: object): any; // of boot.js
declare function __arrived(info: string): void; // a binding, where Go waits for the load event
