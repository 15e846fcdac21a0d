import type { Child } from 'hono/jsx';

interface ButtonProps {
  children: Child;
  [attribute: string]: unknown;
}

/** A button that does what its attributes say, and sends no form. */
export const Button = (props: ButtonProps) => <button type="button" {...props} />;
