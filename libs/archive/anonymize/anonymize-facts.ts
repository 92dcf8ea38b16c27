import { isMap, type Json, type JsonMap } from './json-tree';
import { change, type Replacements } from './replacements';
import { sortedPairs } from './sorted';

export function anonymizeFacts(facts: JsonMap, to: Replacements): void {
  const values = facts.get('values');
  if (isMap(values)) facts.set('values', namedValues(values, to));
  change(facts, 'environment', (name) => to.environment(name));
  const packages = facts.get('package_inventory');
  if (to.rules.rest && Array.isArray(packages)) {
    const replaced = packages.map((one) => (one as string[]).map((part) => to.rest('package', part)));
    facts.set('package_inventory', sortedPairs(replaced));
  }
}

/** The name of a fact or of a nested key decides whether the values below it are replaced. */
function namedValues(values: JsonMap, to: Replacements): JsonMap {
  const { pseudonyms, rules } = to;
  return new Map(
    [...values].map(([name, value]): [string, Json] => [
      rules.factName(name) ? pseudonyms.word('fact', name) : to.unlessNode(name),
      below(name, value, to),
    ]),
  );
}

function below(name: string, value: Json, to: Replacements): Json {
  if (isMap(value)) return namedValues(value, to);
  if (Array.isArray(value)) return value.map((one) => below(name, one, to));
  if (to.rules.factValue(name)) return to.value(value);
  return typeof value === 'string' ? to.unlessNode(value) : value;
}
