/**
 * Returns the choices of a field, each as its value and label, in the order in which people see them. Zapier keeps the order
 * of an array only. `sample` is a legacy key that it still requires.
 */
export const ordered = <const V extends string>(
  ...choices: readonly (readonly [value: V, label: string])[]
): { value: V; label: string; sample: V }[] => choices.map(([value, label]) => ({ value, label, sample: value }));
