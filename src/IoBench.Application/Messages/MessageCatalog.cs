namespace IoBench.Application;

/// <summary>Explanations of all message ids, from the tables of docs/reference/messages.md.</summary>
public static class MessageCatalog
{
    private const string Prefix = "IoBench.";

    /// <summary>Id, such as <c>IoBench.StorageCache</c>, with its meaning and what to do, in sentences.</summary>
    public static IReadOnlyList<(string Id, string Meaning, string Action)> All { get; } = Read();

    /// <summary>Finds an id with or without its prefix, in any case; null if it does not exist.</summary>
    public static (string Id, string Meaning, string Action)? Find(string id)
    {
        var name = id.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) ? id : Prefix + id;
        foreach (var message in All)
            if (string.Equals(message.Id, name, StringComparison.OrdinalIgnoreCase))
                return message;
        return null;
    }

    private static List<(string Id, string Meaning, string Action)> Read()
    {
        using var stream = typeof(MessageCatalog).Assembly.GetManifestResourceStream("messages.md")!;
        using var reader = new StreamReader(stream);
        var messages = new List<(string Id, string Meaning, string Action)>();
        while (reader.ReadLine() is { } line)
            if (line.StartsWith("| `" + Prefix, StringComparison.Ordinal) && line.Split('|') is [_, var id, var meaning, var action, _])
                messages.Add((id.Trim(' ', '`'), RemoveMarkup(meaning), RemoveMarkup(action)));
        return messages;
    }

    // Links are relative to docs/reference.
    private static string ResolveLink(string link) =>
        link.StartsWith("../", StringComparison.Ordinal) ? "docs/" + link[3..] : "docs/reference/" + link;

    // Code, emphasis, and links, as the tables use them.
    private static string RemoveMarkup(string cell)
    {
        var text = cell.Trim().Replace("`", "", StringComparison.Ordinal).Replace("*", "", StringComparison.Ordinal);
        while (text.IndexOf("](", StringComparison.Ordinal) is >= 0 and var middle)
        {
            var start = text.LastIndexOf('[', middle);
            var end = text.IndexOf(')', middle);
            text = $"{text[..start]}{text[(start + 1)..middle]} ({ResolveLink(text[(middle + 2)..end])}){text[(end + 1)..]}";
        }
        return text;
    }
}
