export interface Column {
  readonly name: string;
  readonly type: string;
}

interface DefinedColumn extends Column {
  /** The text ` COLLATE {collation}` or an empty text. */
  readonly collation: string;
  readonly isRequired: boolean;
}

const column =
  /^ {2}([a-z0-9_]+) ((?:"char"|[a-z]+)(?:\[\])?)((?: COLLATE \{collation\})?)((?: NOT NULL| PRIMARY KEY)?)(?!.* GENERATED )/;

/**
 * Returns the columns in the order of the definition, without generated columns. Each column must be on a separate line
 * of `ddl`.
 */
export function columnsOf({ name, ddl }: { readonly name: string; readonly ddl: string }): DefinedColumn[] {
  const begin = ddl.indexOf(`CREATE TABLE {schema}.${name} (`);
  const lines = ddl.slice(begin, ddl.indexOf('\n)', begin)).split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, found, type, collation, rule] = column.exec(line) ?? [];
    return found === undefined ? [] : [{ name: found, type: type!, collation: collation!, isRequired: rule !== '' }];
  });
}
