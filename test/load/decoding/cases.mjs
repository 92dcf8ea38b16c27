import { gzipSync } from 'node:zlib';

const startTime = new Date('2031-02-03T04:00:00Z');
let counter = 0;
const unique = () => (counter++).toString(36).padStart(7, '0');

/** The bytes of a command, inflated and as compressed in the log. */
const sent = ({ command, version, certname, text }) => {
  const bytes = Buffer.from(text);
  return { header: { command, version, certname }, bytes, gzip: gzipSync(bytes) };
};
const withText = (document, text) => ({ ...document, text });

/** A catalog whose resources have a new parameter name: all of them, or some. */
const changedIn = (document, isChanged) => {
  let index = 0;
  return withText(
    document,
    document.text.replace(/"exported"/g, (key) => (isChanged(index++) ? `"x${unique()}" : 0, "exported"` : key)),
  );
};

/** The options of the projector for each kind of document, new or unchanged. */
const use = (document, isNew) => {
  if (document.kind !== 'facts') return;
  void document.hash;
  void document.packages?.length;
  for (const fact of document.facts) {
    void fact.digest;
    if (!isNew) continue;
    fact.value();
    fact.spelled();
    for (const leaf of fact.leaves()) void leaf;
  }
};

/** The cases, each with a function that prepares the work of a variant. Only reading is measured. */
export function decodingCases(fleet) {
  const runs = (nodes, run) => nodes.map((node) => fleet.run(node, run, { startTime }));
  const few = [0, 1, 2, 3, 4, 5];
  const read = ({ wire, defaultLimits }, document, options) =>
    wire.readCommand(document.header, document.bytes, { limits: defaultLimits, ...options });
  const sectionsOf = (variant, document) => {
    const { sections, content } = read(variant, document);
    return { ...sections, hash: content.hash };
  };
  /** `make` returns the documents of a round, each with the options of reading it. */
  const both = (name, make, { isNew = false } = {}) =>
    [false, true].map((inflated) => ({
      name: inflated ? `${name}, inflated` : name,
      prepare: (variant) => {
        const all = make(variant);
        return {
          documents: all.length,
          work: async () => {
            for (const { document, options } of all) {
              const bytes = inflated ? await variant.wire.inflate(document.gzip, 'gzip', 1 << 30) : document.bytes;
              use(read(variant, { ...document, bytes }, options), isNew);
            }
          },
        };
      },
    }));
  const plain = (documents) => documents.map((document) => ({ document: sent(document), options: {} }));

  const first = runs(few, 0);
  const fleetOf = runs(
    Array.from({ length: 40 }, (_, node) => node),
    0,
  ).map(({ catalog }) => catalog);
  const again = runs(few, 1);
  const known = new Map();
  const yardstick = first.map(({ catalog }) => Buffer.from(catalog.text));
  return [
    {
      name: 'yardstick: JSON.parse of a catalog',
      prepare: () => ({
        documents: yardstick.length,
        work: () => yardstick.forEach((bytes) => JSON.parse(bytes.toString())),
      }),
    },
    ...both('catalog, known', (variant) =>
      first.map(({ catalog }) => {
        const document = sent(catalog);
        if (!known.has(variant)) known.set(variant, new Map());
        const sections = known.get(variant);
        if (!sections.has(catalog)) sections.set(catalog, sectionsOf(variant, document));
        return { document, options: { catalog: sections.get(catalog) } };
      }),
    ),
    ...both('catalog, 10 of its resources changed', (variant) =>
      first.map(({ catalog }) => ({
        document: sent(changedIn(catalog, (index) => index % 80 === 7)),
        options: { catalog: sectionsOf(variant, sent(catalog)) },
      })),
    ),
    ...both('catalog, 40 machines in turn', () => plain(fleetOf)),
    ...both('catalog, all resources new', () =>
      plain(first.slice(0, 4).map(({ catalog }) => changedIn(catalog, () => true))),
    ),
    ...both('facts, as before but volatile ones', () =>
      plain([...again.map(({ facts }) => facts), ...first.map(({ facts }) => facts)]),
    ),
    ...both('facts, first', () => plain(first.map(({ facts }) => facts)), { isNew: true }),
    ...both('report, first', () => plain(first.map(({ report }) => report))),
    ...both('report, small', () => plain([...again, ...again].map(({ report }) => report))),
  ];
}
