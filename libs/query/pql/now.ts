import type { AstJson } from '../ast/json';
import { durationForm, shortDuration } from '../ast/relative-time';
import type { Scanner } from './scanner';

const now = /now\s*\(\s*\)/y;

/** Reads `now()`, `now() - 2h` or `now() + 2h`. Returns `["now"]` or a list such as `["-", ["now"], "2h"]`. */
export function readNow(scanner: Scanner): AstJson[] | undefined {
  if (!scanner.language.has('relative-times') || scanner.match(now, "'now()'") === undefined) return undefined;
  const end = scanner.position;
  scanner.blanks();
  const operator = ['-', '+'].find((one) => scanner.take(one));
  if (operator === undefined) {
    scanner.position = end;
    return ['now'];
  }
  scanner.blanks();
  const duration = scanner.match(durationForm, 'a duration such as 2h');
  if (duration === undefined) throw scanner.failure();
  return [operator, ['now'], shortDuration(duration)];
}
