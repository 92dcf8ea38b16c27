import { tuneGarbageCollection } from './garbage-collection';

// Before the modules are loaded, because that makes the young generation grow.
tuneGarbageCollection();
void import('./start-server.js').then(({ startServer }) => startServer(process.argv.slice(2)));
