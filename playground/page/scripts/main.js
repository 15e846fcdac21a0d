import './mapped-text.js';
import './picker.js';
import './dropdown.js';
import './page.js';
import './tabs.js';
import './chat-input.js';
import './tour.js';
import './copy.js';
