module tool.local/NAME

go 1.24
