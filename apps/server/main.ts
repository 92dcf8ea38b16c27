import '#check-node';
import { startServer } from './start-server';

startServer(process.argv.slice(2));
