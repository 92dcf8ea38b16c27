import 'reflect-metadata';
import { explain } from './explain';
import { readRoles } from './roles';
import { runService } from './run-service';

try {
  const { roles, flags } = readRoles(process.argv.slice(2));
  runService(roles, flags);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
