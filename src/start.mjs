// Starts the server. This file alone is plain JavaScript: code that runs before the compile cache has its types stripped at every start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Where the installation cannot be written to, the server keeps its code in the data directory.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));
// The flags of the command line were for the main thread; every thread sets its own size.
setFlagsFromString('--min-semi-space-size=0');
setFlagsFromString('--max-semi-space-size=0');
await import('./main.ts');
// From here on garbage is collected when memory has grown by half, not when it is four times as much: at the rate of any real load
// that is rarely. While the server starts it would be often.
setFlagsFromString('--heap-growing-percent=50');
// So little of the garbage of requests survives that waking other threads for it takes longer than collecting it.
setFlagsFromString('--no-parallel-scavenge');
