import 'reflect-metadata';
import { readComponents } from './components';
import { explain } from './explain';
import { runService } from './run-service';

export function startServer(argv: readonly string[]): void {
  try {
    const { components, flags } = readComponents(argv);
    runService(components, flags);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
