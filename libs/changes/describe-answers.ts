/** Schemas that the OpenAPI descriptions of several endpoints share. */
import { anything, integer, list, object, oneOfTexts, orNull, type Schema, text } from '#openapi';

const kinds = oneOfTexts(['added', 'removed', 'changed']);

/** A change to the value at a path. */
export const valueChange: Schema = object(
  {
    change: kinds,
    path: list({ anyOf: [text(), integer] }),
    old: anything,
    new: anything,
  },
  { required: ['change', 'path'] },
);

/** A resource that was added, removed or changed. For a changed resource, only the differing members are listed. */
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

/** The versions of a package in both states. */
export const packageChange: Schema = object({
  change: kinds,
  name: text(),
  provider: text(),
  old: list(text()),
  new: list(text()),
});

export const comparedState: Schema = object({ certname: text(), as_of: orNull(text()), time: orNull(text()) });
