import { defineInputField } from 'zapier-platform-core';

/** Returns the note above a trigger's form that says how a Zap could start itself, and what to do to prevent loops. */
export const loopNote = (helpText: string) =>
  defineInputField({ key: 'loop_note', label: 'Preventing Loops', type: 'copy', helpText });
