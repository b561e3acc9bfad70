namespace IoBench.Engine;

public static class Suggestions
{
    /// <summary>Returns at most three names that contain the text or differ from it by few letters, nearest first.</summary>
    public static IReadOnlyList<string> FindNearest(string text, IEnumerable<string> names)
    {
        var wanted = text.Replace('_', '-').Replace(' ', '-').ToUpperInvariant();
        if (wanted.Length == 0)
            return [];
        return
        [
            .. names
                .Select(name => (name, distance: GetEditDistance(wanted, name.ToUpperInvariant())))
                .Where(near =>
                    near.distance <= Math.Min(Math.Max(2, wanted.Length / 4), wanted.Length - 1)
                    || (wanted.Length >= 3 && near.name.Contains(wanted, StringComparison.OrdinalIgnoreCase))
                )
                .OrderBy(near => near.distance)
                .ThenBy(near => near.name, StringComparer.Ordinal)
                .Take(3)
                .Select(near => near.name),
        ];
    }

    /// <summary>Levenshtein distance.</summary>
    private static int GetEditDistance(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 1; i <= left.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var above = row[j];
                var change = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
                row[j] = Math.Min(change, Math.Min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[right.Length];
    }
}
