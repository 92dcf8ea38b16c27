import 'reflect-metadata';
import { readComponents } from './components';
import { explain } from './explain';
import { runService } from './run-service';

/**
 * Starts the service with the flags in `argv`. Runs the components that the flag `--components` names, or all
 * components.
 */
export function startServer(argv: readonly string[]): void {
  try {
    const { components, flags } = readComponents(argv);
    runService(components, flags);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
