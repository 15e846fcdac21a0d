/** Zapier's own apps on the page: what their files say is all that the page needs. */
import { readFileSync } from 'node:fs';
import { Card } from '../../playground/page/canvas/card';
import { Sprite } from '../../playground/page/elements/icon';
import { OperationSelect } from '../../playground/page/panel/operation-select';
import { newStep, tools } from '../../zapier/kinds';

const styles = readFileSync('playground/page/styles/apps.css', 'utf8');
const sprite = Sprite().toString();

test.each(tools.map((tool) => [tool.title, tool] as const))(
  '%s has its own icon and color, and is listed',
  (_, tool) => {
    const step = newStep(tool.type, 'step-1');
    const zap = { id: 'zap-1', title: 'Zap 1', steps: [step], isOn: false, seen: [] };
    const card = Card({ zap, step, at: 1, isOpen: false, state: { status: 'tested' }, result: undefined }).toString();
    expect(card).toContain(`<span class="tile tool ${tool.hue}"`);
    expect(card).toContain(`href="#icon-${tool.icon}"`);
    expect(styles).toContain(`.tile.${tool.hue} {`);
    expect(sprite).toContain(`id="icon-${tool.icon}"`);
    const list = OperationSelect({ step, index: 1, address: '', problem: undefined }).toString();
    expect(list).toContain(`<option value="${tool.type}" selected="">${tool.title}<`);
  },
);
