export interface DefinedColumn {
  readonly name: string;
  /** The type and its collation, which can be the placeholder `{collation}`. */
  readonly type: string;
  readonly isRequired: boolean;
}

const column = /^ {2}([a-z_]+) ((?:"char"|[a-z]+)(?:\[\])?(?: COLLATE \{collation\})?)((?: NOT NULL| PRIMARY KEY)?)/;

/** Returns the columns in the order of the definition. Each column must be on a separate line of `ddl`. */
export function columnsOf({ name, ddl }: { readonly name: string; readonly ddl: string }): DefinedColumn[] {
  const begin = ddl.indexOf(`CREATE TABLE {schema}.${name} (`);
  const lines = ddl.slice(begin, ddl.indexOf('\n)', begin)).split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, found, type, rule] = column.exec(line) ?? [];
    return found === undefined || type === undefined ? [] : [{ name: found, type, isRequired: rule !== '' }];
  });
}
