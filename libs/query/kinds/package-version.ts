import type { VersionTest } from '../ast/ast';
import type { Fragment } from '../sql/fragment';
import { packageVersionSql } from '../sql/version';
import type { FieldTest } from './field-test';
import { Text } from './text';

class PackageVersion extends Text {
  override readonly note = '`version(version)` compares by the rule of the provider of the package';

  constructor(
    value: Fragment,
    private readonly provider: Fragment,
  ) {
    super(value);
  }

  override comparesVersion(test: VersionTest): FieldTest {
    return this.test(packageVersionSql(this.value, this.provider, test));
  }
}

export const packageVersion = (value: Fragment, provider: Fragment): Text => new PackageVersion(value, provider);
