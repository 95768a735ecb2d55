-- Takes the recipe of the guide, opens two tests, waits for findings, silences one by a code action and
-- writes down what happened.
local result = { before = {}, after = {}, other = {} }

local function codes()
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { code = item.code, severity = item.severity, line = item.lnum })
  end
  return found
end

vim.cmd("source " .. vim.env.TEST_RECIPE)
vim.cmd("filetype on")
vim.cmd("edit " .. vim.env.TEST_OTHER)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
result.other = codes()
vim.cmd("edit " .. vim.env.TEST_FILE)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
result.servers = #vim.lsp.get_active_clients()
result.before = codes()

local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000)
for _, answer in pairs(answers or {}) do
  for _, action in ipairs(answer.result or {}) do
    if action.title:match("on this line") then
      vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    end
  end
end
vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 50)
result.after = codes()
result.line = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]

local out = io.open(vim.env.TEST_RESULT, "w")
out:write(vim.fn.json_encode(result))
out:close()
vim.cmd("qall!")
