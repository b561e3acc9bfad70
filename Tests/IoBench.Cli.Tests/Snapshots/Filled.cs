using System.Collections;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>Makes objects with the same value in every property of a type, so that their JSON has every name.</summary>
internal static class Filled
{
    // Some texts must be the name of a metric.
    private const string Text = "IOPS";

    /// <summary>An object of a type.</summary>
    public static T Of<T>() => (T)Value(typeof(T), [])!;

    /// <summary>The value of a type; null or an empty list for a type that is inside an object of its own type.</summary>
    private static object? Value(Type type, Type[] outer)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(IoTestExtension))
            type = typeof(TestOrigin);
        if (type == typeof(IoMessage))
            return IoMessage.FromString(Text);
        if (type == typeof(JsonElement))
            return JsonDocument.Parse("{}").RootElement;
        if (type == typeof(string))
            return Text;
        if (type == typeof(bool))
            return true;
        if (type == typeof(char))
            return 'c';
        if (type == typeof(TimeSpan))
            return TimeSpan.FromSeconds(90);
        if (type == typeof(DateTime))
            return new DateTime(2026, 1, 10, 2, 0, 0);
        if (type == typeof(DateTimeOffset))
            return new DateTimeOffset(2026, 1, 10, 2, 0, 0, TimeSpan.FromHours(1));
        if (type.IsEnum)
            return Enum.GetValues(type).GetValue(Enum.GetValues(type).Length - 1);
        if (type.IsPrimitive)
            return Convert.ChangeType(2, type, System.Globalization.CultureInfo.InvariantCulture);
        if (typeof(IEnumerable).IsAssignableFrom(type))
            return Many(type, outer);
        return outer.Contains(type) ? null : One(type, [.. outer, type]);
    }

    private static object One(Type type, Type[] outer)
    {
        // A record has a constructor that copies, too.
        var constructor = type.GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
            .Where(c => c.GetParameters() is not [{ } only] || only.ParameterType != type)
            .OrderBy(c => c.IsPublic ? 0 : 1)
            .ThenBy(c => c.GetParameters().Length)
            .FirstOrDefault();
        // A structure without a constructor.
        var made = constructor is null
            ? Activator.CreateInstance(type)!
            : constructor.Invoke([.. constructor.GetParameters().Select(p => Value(p.ParameterType, outer))]);
        var properties = type.GetProperties(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance)
            .Where(p => p.GetIndexParameters().Length == 0 && !IsView(p))
            .ToList();
        foreach (var property in properties.Where(p => p.CanWrite))
            property.SetValue(made, Value(property.PropertyType, outer));
        foreach (var property in properties.Where(p => !p.CanWrite && typeof(IList).IsAssignableFrom(p.PropertyType)))
            if (property.GetValue(made) is IList { IsReadOnly: false, IsFixedSize: false, Count: 0 } list)
                Add(list, ItemOf(property.PropertyType), outer);
        return made;
    }

    /// <summary>A part of a pattern that its other properties describe too.</summary>
    private static bool IsView(PropertyInfo property) =>
        typeof(IoPattern).IsAssignableFrom(property.DeclaringType) && property.IsDefined(typeof(JsonIgnoreAttribute));

    private static Type ItemOf(Type list) =>
        list.GetInterfaces()
            .Append(list)
            .First(type => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IEnumerable<>))
            .GetGenericArguments()[0];

    private static object Many(Type type, Type[] outer)
    {
        var arguments = type.GetGenericArguments();
        if (arguments is [var key, var value])
        {
            var map = (IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(key, value))!;
            map.Add(Value(key, outer)!, Value(value, outer));
            return map;
        }
        var item = ItemOf(type);
        var list =
            type.IsArray || type.IsInterface
                ? (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(item))!
                : (IList)Activator.CreateInstance(type)!;
        Add(list, item, outer);
        if (!type.IsArray)
            return list;
        var array = Array.CreateInstance(item, list.Count);
        list.CopyTo(array, 0);
        return array;
    }

    private static void Add(IList list, Type item, Type[] outer)
    {
        if (Value(item, outer) is { } value)
            list.Add(value);
    }
}
