import type { Addition } from '../additions';
import { type QueryFunction, queryFunctions } from './functions';
import type { FieldOperator } from './operator';
import { fieldOperators, structuralOperators } from './operators';

export class Language {
  readonly fieldOperators: readonly FieldOperator[];
  readonly operatorNames: readonly string[];
  readonly functionNames: readonly string[];
  private readonly operators: ReadonlyMap<string, FieldOperator>;
  private readonly functions: ReadonlyMap<string, QueryFunction>;

  constructor(private readonly hasAdditions: boolean) {
    const isPart = ({ addition }: { readonly addition?: Addition }): boolean =>
      addition === undefined || this.has(addition);
    this.fieldOperators = fieldOperators.filter(isPart);
    this.operators = new Map(this.fieldOperators.map((one) => [one.name, one]));
    this.operatorNames = [...this.operators.keys(), ...structuralOperators.map(({ name }) => name)];
    this.functions = new Map(queryFunctions.filter(isPart).map((one) => [one.name, one]));
    this.functionNames = [...this.functions.keys()];
  }

  has(_addition: Addition): boolean {
    return this.hasAdditions;
  }

  fieldOperator(name: string): FieldOperator | undefined {
    return this.operators.get(name);
  }

  queryFunction(name: string): QueryFunction | undefined {
    return this.functions.get(name);
  }
}

export const fullLanguage = new Language(true);

export const strictLanguage = new Language(false);
