// The phone follows the open step: it shows the chat where the message of the step would land.
const find = (selector) => document.querySelector(selector);

let followed = find('#preview')?.dataset.to;

/** A number that is complete. While a person types one, the phone stays. */
const isNumber = (handle) => /^\+\d{7,15}$/.test(handle);

const follow = () => {
  const [preview, phone] = [find('#preview'), find('#phones')];
  const to = preview?.dataset.to ?? '';
  if (to !== followed && isNumber(to) && to !== phone.dataset.phone) {
    const address = `/phones?${new URLSearchParams({ to, name: preview.dataset.name })}`;
    window.htmx.ajax('GET', address, { target: '#phones', swap: 'outerMorph' });
  }
  followed = to;
  // Another customer's phone doesn't show it.
  if (preview) preview.hidden = isNumber(to) && to !== phone.dataset.phone;
  // A chat with no message yet calls the business as the first one will be signed.
  const business = find('.device-header [data-unsigned]');
  if (business) business.textContent = (!preview?.hidden && preview?.dataset.signed) || business.dataset.unsigned;
};

/** A chat shows its last message, or the one that a link leads to until another arrives. */
const scrollChat = () => {
  const chat = find('#chat');
  const linked = chat?.querySelector('.linked')?.id ?? '';
  const preview = find('#preview:not([hidden])')?.textContent ?? '';
  const shown = [linked, chat?.querySelector('#messages').lastElementChild?.id, preview].join(' ');
  if (!chat || chat.dataset.seen === shown) return;
  const isSameLink = chat.dataset.seen?.startsWith(`${linked} `);
  chat.dataset.seen = shown;
  if (linked && !isSameLink) document.getElementById(linked).scrollIntoView({ block: 'center' });
  else chat.scrollTop = chat.scrollHeight;
};

/** How many messages nobody had seen when a person made an event happen, until they do something else. */
let unseen;
document.addEventListener('htmx:config:request', ({ detail }) => {
  if (detail.ctx.sourceElement.matches('#windows form, #simulate-event'))
    unseen = Number(find('#phones').dataset.unread);
});
for (const touch of ['pointerdown', 'keydown'])
  document.addEventListener(touch, () => {
    unseen = undefined;
  });

/** The message that a person's event led to shows, whoever got it. */
const showArrived = () => {
  const button = find('#show-arrived');
  if (!button?.checkVisibility() || !(Number(find('#phones').dataset.unread) > unseen)) return;
  unseen = undefined;
  button.click();
};

const show = () => {
  follow();
  scrollChat();
  showArrived();
};
show();
document.addEventListener('htmx:after:swap', show);
document.addEventListener('playground:tab', () => {
  // A chat that was hidden has no height to scroll.
  find('#chat')?.removeAttribute('data-seen');
  scrollChat();
});

// A chat that becomes lower, such as under a keyboard, stays at its last message.
let height = 0;
const resized = new ResizeObserver(() => {
  const chat = find('#chat');
  const wasAtEnd = chat.scrollTop + height >= chat.scrollHeight - 8;
  if (height > 0 && wasAtEnd) chat.scrollTop = chat.scrollHeight;
  height = chat.clientHeight;
});
resized.observe(find('#chat'));
