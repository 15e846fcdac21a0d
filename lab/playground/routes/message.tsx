import { Hono } from 'hono';
import type { Step } from '../../zapier/kinds';
import { maxSteps, type Zap } from '../../zapier/zap/zap';
import { Preview } from '../page/panel/preview';
import { PreviewBubble } from '../page/phone/preview-bubble';
import { previewStep } from '../service/message-preview';
import { Refused } from '../service/refused';
import { type Posted, readAll, readForm, readWholeNumber } from './form';
import type { Env, Parts } from './parts';
import { applyForm } from './posted-step';

/** Renders what the fields of a form and the bubble on the phone show now. The step may not be saved yet. */
export const renderPreviews = async (parts: Parts, zap: Zap, index: number, step: Step, body: Posted) => {
  const { fields, message } = await previewStep(parts, zap, index, step);
  return (
    <>
      {readAll(body, 'shown').map((key) => (
        <Preview field={key} preview={fields[key]} isUpdate />
      ))}
      <PreviewBubble message={message} zap={zap} index={index} isUpdate />
    </>
  );
};

/** The step as a form that isn't saved has it, or undefined while the form can't be read, such as with a name twice. */
const readUnsaved = (step: Step, index: number, body: Posted): Step | undefined => {
  try {
    return applyForm(step, index, body);
  } catch (error) {
    if (error instanceof Refused && error.status === 422) return undefined;
    throw error;
  }
};

/** The call that keeps the bubble of a form up to date while a person types. */
export const messageRoutes = (parts: Parts): Hono<Env> =>
  new Hono<Env>().post('/:id/:step', async (c) => {
    const zap = parts.zaps.find(c.req.param('id'));
    const index = readWholeNumber(c.req.param('step'), maxSteps) ?? 0;
    const body = await readForm(c);
    const step = zap?.steps[index];
    const unsaved = step && readUnsaved(step, index, body);
    // Another tab may have removed the step.
    if (!zap || !unsaved) return c.body(null, 204);
    return c.html(await renderPreviews(parts, zap, index, unsaved, body));
  });
