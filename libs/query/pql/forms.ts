import type { AstJson } from '../ast/json';
import type { Language } from '../operators/language';
import type { FieldOperator } from '../operators/operator';
import { readNow } from './now';
import { readList, readNumber, readString, readValue } from './literals';
import type { Scanner } from './scanner';

type Reader = (scanner: Scanner) => AstJson | undefined;

interface Infix {
  /** Name of the operator in JSON. */
  readonly name: string;
  readonly text: string;
  readonly negated: boolean;
  readonly read: Reader;
}

interface Suffix {
  readonly name: string;
  readonly value: boolean;
  readonly label: string;
  readonly pattern: RegExp;
}

interface Forms {
  /** Longer operators come first, so that `<=` is tried before `<`. */
  readonly infixes: readonly Infix[];
  readonly suffixes: readonly Suffix[];
}

const made = new Map<Language, Forms>();

export function formsOf(language: Language): Forms {
  let forms = made.get(language);
  if (forms === undefined) {
    forms = {
      infixes: language.fieldOperators.flatMap(infixesOf).sort((one, other) => other.text.length - one.text.length),
      suffixes: language.fieldOperators.flatMap(suffixesOf),
    };
    made.set(language, forms);
  }
  return forms;
}

const readPatterns: Reader = (scanner) => readList(scanner, readString);
const readOrdered: Reader = (scanner) => readString(scanner) ?? readNumber(scanner) ?? readNow(scanner);

const readers: Record<FieldOperator['value'], Reader> = {
  any: readValue,
  text: readString,
  texts: readPatterns,
  'text, number or time': readOrdered,
  boolean: readValue,
};

const infixesOf = ({ name, pql, value }: FieldOperator): Infix[] =>
  pql.flatMap((form) =>
    'infix' in form ? [{ name, text: form.infix, negated: form.negated === true, read: readers[value] }] : [],
  );

const suffixesOf = ({ name, pql }: FieldOperator): Suffix[] =>
  pql.flatMap((form) =>
    'suffix' in form
      ? [
          {
            name,
            value: form.value,
            label: `'${form.suffix}'`,
            pattern: new RegExp(form.suffix.replaceAll(' ', '\\s+'), 'y'),
          },
        ]
      : [],
  );
