using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Properties of a result by path (<c>Threads.Read.IOCount</c>), by reflection, so that tests include new properties. The pattern of a
/// specification is listed for each target.
/// </summary>
internal static class PropertyPaths
{
    public static SortedSet<string> All { get; } = CollectPaths();

    /// <summary>Returns the values of a result by indexed path (<c>Threads[1].Read.IOCount</c>), without null values.</summary>
    public static SortedDictionary<string, object> GetValues(IoTestResult result)
    {
        var values = new SortedDictionary<string, object>(StringComparer.Ordinal);
        AddValues(values, result, "");
        return values;
    }

    public static string GetPath(string place) => Regex.Replace(place, @"\[[^\]]*\]", "");

    public static bool IsMatch(string path, string pattern) => Regex.IsMatch(path, "^" + Regex.Escape(pattern).Replace("\\*", ".*") + "$");

    private static SortedSet<string> CollectPaths()
    {
        var paths = new SortedSet<string>(StringComparer.Ordinal);
        CollectPaths(paths, typeof(IoTestResult), "");
        return paths;
    }

    private static void CollectPaths(SortedSet<string> paths, Type type, string prefix)
    {
        foreach (var property in GetProperties(type))
        {
            var path = prefix + property.Name;
            var inner = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            if (typeof(IList).IsAssignableFrom(inner) && !inner.IsArray)
                inner = inner.GetProperty("Item")!.PropertyType;
            if (inner == typeof(IoTestExtension))
                CollectPaths(paths, typeof(TestOrigin), prefix);
            else if (HasProperties(inner))
                CollectPaths(paths, inner, path + ".");
            else
                paths.Add(path);
        }
    }

    private static bool HasProperties(Type type) =>
        (type.Assembly == typeof(IoTestResult).Assembly || type.Assembly == typeof(TestOrigin).Assembly) && !type.IsEnum;

    private static IEnumerable<PropertyInfo> GetProperties(Type type) =>
        type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(p =>
                p.GetIndexParameters().Length == 0
                && p.Name != "EqualityContract"
                && !p.IsUnwritten()
                && (p.CanWrite || type.GetConstructor([]) is null)
                && !(type == typeof(IoTestSpecification) && p.DeclaringType == typeof(IoPattern))
            );

    private static void AddValues(SortedDictionary<string, object> values, object part, string prefix)
    {
        foreach (var property in GetProperties(part.GetType()))
        {
            var value = property.GetValue(part);
            if (part is IoTargetSpecification && property.Name == nameof(IoTargetSpecification.Pattern))
                continue;
            if (value is TestOrigin origin)
                AddValues(values, origin, prefix);
            else
                AddValue(values, value, prefix + property.Name);
        }
        if (part is IoTestSpecification test)
        {
            for (var i = 0; i < test.Targets.Count; i++)
                AddValues(values, ToPlainPattern(test.GetPattern(test.Targets[i])), $"{prefix}Targets[{i}].Pattern.");
        }
    }

    private static IoPattern ToPlainPattern(IoPattern pattern)
    {
        if (pattern.GetType() == typeof(IoPattern))
            return pattern;
        var plain = new IoPattern();
        foreach (var property in typeof(IoPattern).GetProperties().Where(p => p.CanWrite && !p.IsUnwritten()))
            property.SetValue(plain, property.GetValue(pattern));
        return plain;
    }

    private static void AddValue(SortedDictionary<string, object> values, object? value, string place)
    {
        switch (value)
        {
            case null:
                break;
            case IDictionary dictionary:
                foreach (DictionaryEntry entry in dictionary)
                    values[$"{place}[{entry.Key}]"] = entry.Value!;
                break;
            case IList list:
                for (var i = 0; i < list.Count; i++)
                    AddValue(values, list[i], string.Create(CultureInfo.InvariantCulture, $"{place}[{i}]"));
                break;
            case var part when HasProperties(part.GetType()):
                AddValues(values, part, place + ".");
                break;
            default:
                values[place] = value;
                break;
        }
    }
}
