/**
 * Returns whether the service has started this process for an operator. In this case, the service shows the output of
 * this process to the operator.
 */
export const isStartedByService = (): boolean => process.send !== undefined;
