import 'reflect-metadata';
import { explain } from './explain';
import { readComponents } from './components';
import { runService } from './run-service';

try {
  const { components, flags } = readComponents(process.argv.slice(2));
  runService(components, flags);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
