using System.Collections;
using System.Reflection;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Creates objects with random values in every settable property. The same seed gives the same values.</summary>
internal sealed class ResultGenerator(int seed)
{
    private static readonly string[] s_texts =
    [
        "8KB random read",
        @"O:\SQLIOMP\Disk 1\testfile.dat",
        "/t/ümlaut, \"quoted\".dat",
        "=1+1",
        "+x",
        "-x",
        "@x",
        "\tx",
        "\r\nx",
        "'quoted",
        "''=x",
        "a;b",
        "a,b",
        "line\nbreak",
        "line\u2028break\u0085x",
        "x | y",
        "||",
        "|",
        "日本語 \U0001F600",
        " blanks ",
        "\"",
        "<b>&amp;</b>",
        "\\u0041",
        "nul\0in it",
        "null",
    ];

    private readonly Random _random = new(seed);

    public IoTestResult CreateResult() => (IoTestResult)FillProperties(new IoTestResult(), 0);

    public string CreateText() =>
        s_texts[_random.Next(s_texts.Length)]
        + (_random.Next(4) == 0 ? _random.Next().ToString(System.Globalization.CultureInfo.InvariantCulture) : "");

    private object FillProperties(object target, int depth)
    {
        foreach (
            var property in target
                .GetType()
                .GetProperties(BindingFlags.Public | BindingFlags.Instance)
                .Where(p => p.CanWrite && !p.IsUnwritten() && p.GetIndexParameters().Length == 0)
        )
        {
            var nullable =
                Nullable.GetUnderlyingType(property.PropertyType) is not null
                || new NullabilityInfoContext().Create(property).WriteState == NullabilityState.Nullable;
            if (nullable && _random.Next(3) == 0)
                property.SetValue(target, null);
            else
                property.SetValue(target, CreateValue(property.PropertyType, depth + 1));
        }
        return target;
    }

    private object CreateValue(Type type, int depth)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(string))
            return CreateText();
        if (type == typeof(bool))
            return _random.Next(2) == 0;
        if (type == typeof(char))
            return (char)_random.Next('A', 'Z');
        if (type == typeof(int))
            return _random.Next(5) == 0 ? int.MaxValue : _random.Next(-5, 300);
        if (type == typeof(long))
            return _random.Next(5) == 0 ? long.MaxValue : _random.NextInt64(1L << 40);
        if (type == typeof(ulong))
            return _random.Next(5) == 0 ? ulong.MaxValue : (ulong)_random.NextInt64();
        if (type == typeof(double))
            return _random.Next(4) switch
            {
                0 => Math.Round(_random.NextDouble() * 1000, 2),
                1 => _random.NextDouble() * 1e-9,
                2 => 1.7976931348623157e308 * _random.NextDouble(),
                _ => _random.Next(1000),
            };
        if (type == typeof(TimeSpan))
            return TimeSpan.FromTicks(_random.NextInt64(TimeSpan.TicksPerDay * 3));
        if (type == typeof(DateTimeOffset))
            return new DateTimeOffset(2026, 11, 21, 9, 30, 0, TimeSpan.FromMinutes(_random.Next(-12, 14) * 60)).AddTicks(
                _random.NextInt64(TimeSpan.TicksPerDay)
            );
        if (type.IsEnum)
            return Enum.GetValues(type).GetValue(_random.Next(Enum.GetValues(type).Length))!;
        if (typeof(IDictionary).IsAssignableFrom(type))
            return Enumerable.Range(0, _random.Next(4)).ToDictionary(i => CreateText() + i, _ => CreateText());
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>))
            type = typeof(List<>).MakeGenericType(type.GetGenericArguments());
        if (typeof(IList).IsAssignableFrom(type))
            return CreateList(type, depth);
        if (type == typeof(IoTestExtension))
            type = typeof(TestOrigin);
        var constructor = type.GetConstructors().OrderBy(c => c.GetParameters().Length).First();
        var made = constructor.Invoke(constructor.GetParameters().Select(p => CreateValue(p.ParameterType, depth + 1)).ToArray());
        return FillProperties(made, depth);
    }

    private IList CreateList(Type type, int depth)
    {
        var list = (IList)Activator.CreateInstance(type)!;
        for (var i = depth > 3 ? 0 : _random.Next(4); i > 0; i--)
            list.Add(CreateValue(type.GetProperty("Item")!.PropertyType, depth + 1));
        return list;
    }
}

/// <summary>Properties that are not written, because they repeat other properties.</summary>
internal static class UnwrittenProperties
{
    public static bool IsUnwritten(this PropertyInfo property) => property.IsDefined(typeof(JsonIgnoreAttribute));
}

/// <summary>Compares objects by property instead of by JSON, which could omit the same value in both.</summary>
internal static class DeepComparer
{
    public static void AssertEqual(object? expected, object? actual, string path = "result")
    {
        if (expected is null || actual is null)
        {
            Assert.True(expected is null && actual is null, $"{path}: {expected ?? "null"} became {actual ?? "null"}");
            return;
        }
        var type = expected.GetType();
        if (type.IsPrimitive || type.IsEnum || expected is string or TimeSpan or DateTimeOffset)
        {
            Assert.True(expected.Equals(actual), $"{path}: {expected} became {actual}");
        }
        else if (expected is IDictionary dictionary)
        {
            Assert.Equal(dictionary.Count, ((IDictionary)actual).Count);
            foreach (var key in dictionary.Keys)
                AssertEqual(dictionary[key], ((IDictionary)actual)[key], $"{path}[{key}]");
        }
        else if (expected is IList list)
        {
            Assert.True(list.Count == ((IList)actual).Count, $"{path}: {list.Count} became {((IList)actual).Count}");
            for (var i = 0; i < list.Count; i++)
                AssertEqual(list[i], ((IList)actual)[i], $"{path}[{i}]");
        }
        else
        {
            foreach (var property in type.GetProperties().Where(p => p.CanWrite && !p.IsUnwritten() && p.GetIndexParameters().Length == 0))
            {
                var other = property.PropertyType == typeof(IoTestExtension) ? new TestOrigin() : null;
                AssertEqual(property.GetValue(expected) ?? other, property.GetValue(actual) ?? other, $"{path}.{property.Name}");
            }
        }
    }
}
