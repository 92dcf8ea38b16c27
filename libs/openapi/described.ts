import type { ApiContext, Describe, Description, Operation } from './operation';

const descriptions = new WeakMap<object, Describe>();

/** A description that is a function is called when the document is created, not when the service starts. */
export const Described =
  (description: Operation | Describe): MethodDecorator =>
  (_target, _name, { value }) => {
    const describe = typeof description === 'function' ? description : () => ({ operations: [description] });
    descriptions.set(value as object, describe);
  };

export const descriptionOf = (handler: object, context: ApiContext): Description | undefined =>
  descriptions.get(handler)?.(context);
