/* Short names to the characters every system already has; an unknown name stays as it was typed. */

const TABLE = `
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 ok_hand 👌 wave 👋 raised_hands 🙌 clap 👏 pray 🙏 muscle 💪 eyes 👀 point_right 👉
point_down 👇 point_up 👆 raised_hand ✋ hand ✋ writing_hand ✍️ handshake 🤝 thinking_face 🤔 smile 😄 slightly_smiling_face 🙂
grin 😁 joy 😂 sweat_smile 😅 wink 😉 heart ❤️ cry 😢 sob 😭 scream 😱 sleeping 😴 zzz 💤 tada 🎉 sparkles ✨ fire 🔥
rocket 🚀 robot_face 🤖 ghost 👻 bulb 💡 zap ⚡ boom 💥 star ⭐ star2 🌟 sunny ☀️ moon 🌙 crescent_moon 🌙 night_with_stars 🌃
sunrise 🌅 snowflake ❄️ umbrella ☔ ocean 🌊 droplet 💧 seedling 🌱 white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️
x ❌ no_entry ⛔ no_entry_sign 🚫 octagonal_sign 🛑 stop_sign 🛑 warning ⚠️ exclamation ❗ heavy_exclamation_mark ❗
question ❓ grey_question ❔ rotating_light 🚨 bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 speech_balloon 💬 red_circle 🔴
large_red_circle 🔴 large_orange_circle 🟠 large_yellow_circle 🟡 large_green_circle 🟢 large_blue_circle 🔵 large_purple_circle 🟣
white_circle ⚪ black_circle ⚫ red_square 🟥 large_red_square 🟥 large_orange_square 🟧 large_yellow_square 🟨 large_green_square 🟩
large_blue_square 🟦 white_large_square ⬜ black_large_square ⬛ small_red_triangle 🔺 small_red_triangle_down 🔻
arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️ arrow_forward ▶️ arrows_counterclockwise 🔄 repeat 🔁
leftwards_arrow_with_hook ↩️ arrow_right_hook ↪️ fast_forward ⏩ rewind ⏪ double_vertical_bar ⏸️ pause_button ⏸️ play_or_pause_button ⏯️
black_square_for_stop ⏹️ hourglass ⌛ hourglass_flowing_sand ⏳ watch ⌚ alarm_clock ⏰ stopwatch ⏱️ timer_clock ⏲️ clock1 🕐 clock4 🕓
clock9 🕘 calendar 📅 date 📅 spiral_calendar_pad 🗓️ lock 🔒 unlock 🔓 closed_lock_with_key 🔐 key 🔑 shield 🛡️ hammer 🔨 wrench 🔧
hammer_and_wrench 🛠️ gear ⚙️ nut_and_bolt 🔩 link 🔗 paperclip 📎 pushpin 📌 round_pushpin 📍 memo 📝 pencil 📝 pencil2 ✏️ scroll 📜
receipt 🧾 page_facing_up 📄 page_with_curl 📃 clipboard 📋 bookmark_tabs 📑 books 📚 book 📖 ledger 📒 card_index 📇 file_folder 📁
open_file_folder 📂 card_file_box 🗃️ file_cabinet 🗄️ wastebasket 🗑️ inbox_tray 📥 outbox_tray 📤 package 📦 mailbox 📫 email 📧
envelope ✉️ chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊 mag 🔍 mag_right 🔎 microscope 🔬 telescope 🔭
test_tube 🧪 satellite 🛰️ computer 💻 desktop_computer 🖥️ floppy_disk 💾 electric_plug 🔌 battery 🔋 construction 🚧 traffic_light 🚥
vertical_traffic_light 🚦 ambulance 🚑 fire_engine 🚒 helicopter 🚁 ship 🚢 anchor ⚓ ticket 🎫 label 🏷️ dart 🎯 trophy 🏆
checkered_flag 🏁 triangular_flag_on_post 🚩 moneybag 💰 dollar 💵 credit_card 💳 bug 🐛 snail 🐌 turtle 🐢 bee 🐝 whale 🐳 elephant 🐘
broom 🧹 sponge 🧽 bricks 🧱 jigsaw 🧩 compass 🧭 world_map 🗺️ earth_africa 🌍 information_source ℹ️ new 🆕 ok 🆗 sos 🆘 up 🆙
one 1️⃣ two 2️⃣ three 3️⃣ four 4️⃣ five 5️⃣ six 6️⃣ seven 7️⃣ eight 8️⃣ nine 9️⃣ zero 0️⃣ keycap_ten 🔟 coffee ☕ owl 🦉 detective 🕵️ sleuth_or_spy 🕵️
bust_in_silhouette 👤 busts_in_silhouette 👥 raising_hand 🙋 shrug 🤷 ear 👂 brain 🧠 diamond_shape_with_a_dot_inside 💠 recycle ♻️
infinity ♾️ heavy_plus_sign ➕ heavy_minus_sign ➖ bangbang ‼️ 100 💯 party_popper 🎉 crossed_fingers 🤞 facepalm 🤦 thread 🧵
`;

const words = TABLE.trim().split(/\s+/);
const NAMES = new Map();
for (let i = 0; i < words.length; i += 2) NAMES.set(words[i], words[i + 1]);

/** The character of a short name, or undefined. Skin tones are dropped. */
export function emoji(name) {
  return NAMES.get(name.replace(/::skin-tone-\d$/, ""));
}
