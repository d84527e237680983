// The files of the web page, in the program. C23 has `#embed` for that; it costs no time and no tool of ours.

#include "page_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t add_fields_js[] = {
#embed "files/add-fields.js"
};
static const uint8_t add_request_js[] = {
#embed "files/add-request.js"
};
static const uint8_t add_js[] = {
#embed "files/add.js"
};
static const uint8_t api_js[] = {
#embed "files/api.js"
};
static const uint8_t canvas_js[] = {
#embed "files/canvas.js"
};
static const uint8_t change_list_js[] = {
#embed "files/change-list.js"
};
static const uint8_t compare_js[] = {
#embed "files/compare.js"
};
static const uint8_t confirm_js[] = {
#embed "files/confirm.js"
};
static const uint8_t controls_js[] = {
#embed "files/controls.js"
};
static const uint8_t deliveries_js[] = {
#embed "files/deliveries.js"
};
static const uint8_t delivery_row_js[] = {
#embed "files/delivery-row.js"
};
static const uint8_t delivery_words_js[] = {
#embed "files/delivery-words.js"
};
static const uint8_t difference_js[] = {
#embed "files/difference.js"
};
static const uint8_t dom_js[] = {
#embed "files/dom.js"
};
static const uint8_t drafts_js[] = {
#embed "files/drafts.js"
};
static const uint8_t draw_js[] = {
#embed "files/draw.js"
};
static const uint8_t edit_conflict_js[] = {
#embed "files/edit-conflict.js"
};
static const uint8_t edit_js[] = {
#embed "files/edit.js"
};
static const uint8_t facts_js[] = {
#embed "files/facts.js"
};
static const uint8_t feed_js[] = {
#embed "files/feed.js"
};
static const uint8_t fields_js[] = {
#embed "files/fields.js"
};
static const uint8_t file_editor_js[] = {
#embed "files/file-editor.js"
};
static const uint8_t file_list_js[] = {
#embed "files/file-list.js"
};
static const uint8_t file_text_js[] = {
#embed "files/file-text.js"
};
static const uint8_t filter_js[] = {
#embed "files/filter.js"
};
static const uint8_t forms_css[] = {
#embed "files/forms.css"
};
static const uint8_t frame_js[] = {
#embed "files/frame.js"
};
static const uint8_t icon_svg[] = {
#embed "files/icon.svg"
};
static const uint8_t index_html[] = {
#embed "files/index.html"
};
static const uint8_t item_js[] = {
#embed "files/item.js"
};
static const uint8_t items_js[] = {
#embed "files/items.js"
};
static const uint8_t keyed_js[] = {
#embed "files/keyed.js"
};
static const uint8_t leads_js[] = {
#embed "files/leads.js"
};
static const uint8_t list_js[] = {
#embed "files/list.js"
};
static const uint8_t main_js[] = {
#embed "files/main.js"
};
static const uint8_t model_js[] = {
#embed "files/model.js"
};
static const uint8_t picture_js[] = {
#embed "files/picture.js"
};
static const uint8_t problems_js[] = {
#embed "files/problems.js"
};
static const uint8_t records_css[] = {
#embed "files/records.css"
};
static const uint8_t refresh_js[] = {
#embed "files/refresh.js"
};
static const uint8_t row_js[] = {
#embed "files/row.js"
};
static const uint8_t sign_in_js[] = {
#embed "files/sign-in.js"
};
static const uint8_t single_js[] = {
#embed "files/single.js"
};
static const uint8_t status_attention_js[] = {
#embed "files/status-attention.js"
};
static const uint8_t status_files_js[] = {
#embed "files/status-files.js"
};
static const uint8_t status_js[] = {
#embed "files/status.js"
};
static const uint8_t style_css[] = {
#embed "files/style.css"
};
static const uint8_t text_editor_js[] = {
#embed "files/text-editor.js"
};
static const uint8_t tiles_js[] = {
#embed "files/tiles.js"
};
static const uint8_t time_js[] = {
#embed "files/time.js"
};
static const uint8_t wall_js[] = {
#embed "files/wall.js"
};
static const uint8_t watch_css[] = {
#embed "files/watch.css"
};
static const uint8_t when_js[] = {
#embed "files/when.js"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE_OF("add-fields.js", add_fields_js),
    FILE_OF("add-request.js", add_request_js),
    FILE_OF("add.js", add_js),
    FILE_OF("api.js", api_js),
    FILE_OF("canvas.js", canvas_js),
    FILE_OF("change-list.js", change_list_js),
    FILE_OF("compare.js", compare_js),
    FILE_OF("confirm.js", confirm_js),
    FILE_OF("controls.js", controls_js),
    FILE_OF("deliveries.js", deliveries_js),
    FILE_OF("delivery-row.js", delivery_row_js),
    FILE_OF("delivery-words.js", delivery_words_js),
    FILE_OF("difference.js", difference_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("drafts.js", drafts_js),
    FILE_OF("draw.js", draw_js),
    FILE_OF("edit-conflict.js", edit_conflict_js),
    FILE_OF("edit.js", edit_js),
    FILE_OF("facts.js", facts_js),
    FILE_OF("feed.js", feed_js),
    FILE_OF("fields.js", fields_js),
    FILE_OF("file-editor.js", file_editor_js),
    FILE_OF("file-list.js", file_list_js),
    FILE_OF("file-text.js", file_text_js),
    FILE_OF("filter.js", filter_js),
    FILE_OF("forms.css", forms_css),
    FILE_OF("frame.js", frame_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("index.html", index_html),
    FILE_OF("item.js", item_js),
    FILE_OF("items.js", items_js),
    FILE_OF("keyed.js", keyed_js),
    FILE_OF("leads.js", leads_js),
    FILE_OF("list.js", list_js),
    FILE_OF("main.js", main_js),
    FILE_OF("model.js", model_js),
    FILE_OF("picture.js", picture_js),
    FILE_OF("problems.js", problems_js),
    FILE_OF("records.css", records_css),
    FILE_OF("refresh.js", refresh_js),
    FILE_OF("row.js", row_js),
    FILE_OF("sign-in.js", sign_in_js),
    FILE_OF("single.js", single_js),
    FILE_OF("status-attention.js", status_attention_js),
    FILE_OF("status-files.js", status_files_js),
    FILE_OF("status.js", status_js),
    FILE_OF("style.css", style_css),
    FILE_OF("text-editor.js", text_editor_js),
    FILE_OF("tiles.js", tiles_js),
    FILE_OF("time.js", time_js),
    FILE_OF("wall.js", wall_js),
    FILE_OF("watch.css", watch_css),
    FILE_OF("when.js", when_js),
};

size_t page_file_count(void) { return sizeof files / sizeof files[0]; }

struct page_file page_file(size_t number) { return files[number]; }
