import type { EntryKind } from '../format/entry-kinds';
import { anonymizeCatalog } from './anonymize-catalog';
import { anonymizeFacts } from './anonymize-facts';
import { anonymizeReport } from './anonymize-report';
import { type JsonMap, readTree, writeTree } from './json-tree';
import type { Rules } from './profiles';
import { Pseudonyms } from './pseudonyms';
import { change, Replacements } from './replacements';
import { sortedPairs } from './sorted';

export interface AnonymizedDocument {
  readonly certname: string;
  readonly text: string;
}

const byKind: Partial<Record<EntryKind, (document: JsonMap, to: Replacements) => void>> = {
  facts: anonymizeFacts,
  catalog: anonymizeCatalog,
  report: anonymizeReport,
  'catalog inputs': anonymizeInputs,
};

/** All documents of one archive need the same key, because equal values then get equal replacements. */
export class DocumentAnonymizer {
  private readonly pseudonyms: Pseudonyms;

  constructor(
    readonly profile: string,
    private readonly rules: Rules,
    key: Buffer,
  ) {
    this.pseudonyms = new Pseudonyms(key);
  }

  certname(certname: string): string {
    return this.pseudonyms.node(certname);
  }

  document({ kind, certname, text }: AnonymizedDocument & { readonly kind: EntryKind }): AnonymizedDocument {
    const document = readTree(text) as JsonMap;
    const to = new Replacements(this.rules, this.pseudonyms, certname);
    byKind[kind]?.(document, to);
    change(document, 'certname', (name) => to.node(name));
    change(document, 'producer', (name) => to.node(name));
    return { certname: this.certname(certname), text: writeTree(document) };
  }
}

/** Every profile replaces the inputs of a catalog, as in PuppetDB. */
function anonymizeInputs(document: JsonMap, to: Replacements): void {
  const inputs = (document.get('inputs') ?? []) as string[][];
  const replaced = inputs.map(([type = '', name = '']) => [to.rest('input', type), to.pseudonyms.word('input', name)]);
  document.set('inputs', sortedPairs(replaced));
  change(document, 'catalog_uuid', (uuid) => to.uuid(uuid));
}
