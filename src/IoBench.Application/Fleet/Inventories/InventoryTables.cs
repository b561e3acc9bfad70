using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Application;

internal static class FleetInventory
{
    private static readonly string[] s_nameColumns = ["name", "host", "inventory_hostname", "computername"];

    public static IEnumerable<InventoryRow> ReadCsv(string text, string name)
    {
        var lines = text.Split('\n').Select(line => line.TrimEnd('\r')).ToList();
        var header = lines.FindIndex(line => line.Trim().Length > 0);
        if (header < 0)
            yield break;
        var separator = lines[header].Contains(';') && !lines[header].Contains(',') ? ';' : ',';
        var columns = SplitFields(lines[header].TrimStart('\uFEFF'), separator, name, header + 1);
        var place = columns.FindIndex(column => s_nameColumns.Contains(column.Trim(), StringComparer.OrdinalIgnoreCase));
        if (place < 0)
            throw FleetInventory.InvalidData(name, header + 1, "there is no column name");
        for (var i = header + 1; i < lines.Count; i++)
        {
            if (lines[i].Trim().Length == 0 || lines[i].TrimStart().StartsWith('#'))
                continue;
            var fields = SplitFields(lines[i], separator, name, i + 1);
            if (fields.Count > columns.Count)
                throw FleetInventory.InvalidData(
                    name,
                    i + 1,
                    $"there are {fields.Count} values for {NumberFormat.Pluralize(columns.Count, "column")}"
                );
            var row = new InventoryRow(place < fields.Count ? fields[place] : "", i + 1);
            for (var column = 0; column < fields.Count; column++)
                if (column != place)
                    row.Variables[columns[column].Trim()] = fields[column];
            yield return row;
        }
    }

    public static IReadOnlyList<InventoryRow> ReadJson(string text, string name)
    {
        try
        {
            using var document = JsonDocument.Parse(
                text,
                new JsonDocumentOptions { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip }
            );
            var root = document.RootElement;
            if (root.ValueKind == JsonValueKind.Object && root.TryGetProperty("hosts", out var inner))
                root = inner;
            return root.ValueKind == JsonValueKind.Array
                ? [.. root.EnumerateArray().Select(item => CreateRow(item, name))]
                : throw FleetInventory.InvalidData(name, null, "this is neither a list of hosts nor an object with one as hosts");
        }
        catch (JsonException e)
        {
            throw FleetInventory.InvalidData(name, (int?)(e.LineNumber + 1), "this is not JSON");
        }
    }

    private static InventoryRow CreateRow(JsonElement item, string name)
    {
        if (item.ValueKind == JsonValueKind.String)
            return new InventoryRow(item.GetString()!, 0);
        if (item.ValueKind != JsonValueKind.Object)
            throw FleetInventory.InvalidData(name, null, "a host is neither a name nor an object");
        var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var property in item.EnumerateObject())
        {
            if (property is { Name: "tags", Value.ValueKind: JsonValueKind.Object })
                foreach (var tag in property.Value.EnumerateObject())
                    values[tag.Name] = tag.Value.ToString();
            else
                values[property.Name] = property.Value.ValueKind == JsonValueKind.Null ? "" : property.Value.ToString();
        }
        var host =
            s_nameColumns.Select(key => values.Remove(key, out var value) ? value : null).OfType<string>().FirstOrDefault()
            ?? throw FleetInventory.InvalidData(name, null, "a host has no name");
        return new InventoryRow(host, 0) { Variables = values };
    }

    private static List<string> SplitFields(string line, char separator, string name, int number)
    {
        var fields = new List<string>();
        var (field, quoted) = (new System.Text.StringBuilder(), false);
        for (var i = 0; i < line.Length; i++)
        {
            if (quoted)
            {
                if (line[i] != '"')
                    field.Append(line[i]);
                else if (i + 1 < line.Length && line[i + 1] == '"')
                    field.Append(line[++i]);
                else
                    quoted = false;
            }
            else if (line[i] == '"')
            {
                quoted = true;
            }
            else if (line[i] == separator)
            {
                fields.Add(field.ToString().Trim());
                field.Clear();
            }
            else
            {
                field.Append(line[i]);
            }
        }
        if (quoted)
            throw FleetInventory.InvalidData(name, number, "a quote is not closed");
        fields.Add(field.ToString().Trim());
        return fields;
    }
}
