import { anything, integer, list, object, oneOfTexts, orNull, type Schema, text } from '#openapi';

const kinds = oneOfTexts(['added', 'removed', 'changed']);

export const valueChange: Schema = object(
  {
    change: kinds,
    path: list({ anyOf: [text(), integer] }),
    old: anything,
    new: anything,
  },
  { required: ['change', 'path'] },
);

/** A changed resource lists only the members that differ. */
export const resourceChange: Schema = object(
  { change: kinds, type: text(), title: text(), old: anything, new: anything, changes: list(valueChange) },
  { required: ['change', 'type', 'title'] },
);

export const edgeChange: Schema = object({
  change: kinds,
  relationship: text(),
  source_type: text(),
  source_title: text(),
  target_type: text(),
  target_title: text(),
});

export const packageChange: Schema = object({
  change: kinds,
  name: text(),
  provider: text(),
  old: list(text()),
  new: list(text()),
});

export const comparedState: Schema = object({ certname: text(), as_of: orNull(text()), time: orNull(text()) });
