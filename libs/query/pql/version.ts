import type { AstJson } from '../ast/json';
import { versionOperators } from '../ast/version-test';
import { argumentElement, readField } from './fields';
import { formsOf } from './forms';
import { readString } from './literals';
import type { Scanner } from './scanner';

const call = /version\s*\(/y;

/**
 * Reads `version(field) < version("3.0.9")` or `version(field) < "3.0.9"` as `["<", ["function", "version", field],
 * "3.0.9"]`.
 */
export function readVersionTest(scanner: Scanner): AstJson[] | undefined {
  if (!takeCall(scanner)) return undefined;
  const field = readField(scanner, argumentElement);
  if (field === undefined) throw scanner.failure();
  close(scanner);
  scanner.blanks();
  const { infixes } = formsOf(scanner.language);
  const form = infixes.find(({ name, text }) => versionOperators.includes(name) && scanner.take(text));
  if (form === undefined) throw scanner.failure();
  scanner.blanks();
  const test = [form.name, ['function', 'version', field], readVersion(scanner)];
  return form.negated ? ['not', test] : test;
}

/** Throws `pql.syntax` if `version("3.0.9")` follows a field that is not inside `version(…)`. */
export function refuseVersion(scanner: Scanner): void {
  const start = scanner.position;
  if (takeCall(scanner))
    throw scanner.fault(start, 'A version is compared with a version: version(version) < version("3.0.9").');
}

function readVersion(scanner: Scanner): string {
  const isCall = takeCall(scanner);
  const text = readString(scanner);
  if (text === undefined) throw scanner.failure();
  if (isCall) close(scanner);
  return text;
}

function takeCall(scanner: Scanner): boolean {
  if (!scanner.language.has('versions') || scanner.match(call) === undefined) return false;
  scanner.blanks();
  return true;
}

function close(scanner: Scanner): void {
  scanner.blanks();
  if (!scanner.take(')')) throw scanner.failure();
}
