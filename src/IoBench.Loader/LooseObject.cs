using System.Collections;
using System.Globalization;
using System.Reflection;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>
/// Makes IoBench's types from what is left of them after a job, remoting, CliXml, JSON or a CSV file: objects with the
/// same property names whose values are text, numbers or such objects again. PowerShell's own types are read by reflection,
/// because there is no reference to PowerShell here: one assembly serves all its versions.
/// </summary>
public static class LooseObject
{
    private const BindingFlags PublicProperties = BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase;

    /// <summary>The result an object stands for.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotAResult</c>: the object has nothing of a result.</exception>
    public static IoTestResult ToResult(object? value)
    {
        if (Unwrap(value) is IoTestResult result)
            return result;
        var members = Members(value);
        if (!members.ContainsKey(nameof(IoTestResult.IOPS)) || !members.ContainsKey(nameof(IoTestResult.Source)))
            throw IoBenchException.Usage("IoBench.NotAResult",
                $"{Describe(value)} is not a test result. Give what Invoke-IoTest or Import-IoResult puts out.", Text(value));
        return (IoTestResult)Make(members, typeof(IoTestResult));
    }

    /// <summary>The specification an object stands for; a result stands for the one it was made by.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotASpecification</c>: the object has nothing of a specification.</exception>
    public static IoTestSpecification ToSpecification(object? value)
    {
        if (Unwrap(value) is IoTestSpecification specification)
            return specification;
        if (Unwrap(value) is IoTestResult result)
            return result.Specification ?? throw NoSpecification(result.Path);
        var members = Members(value);
        if (members.ContainsKey(nameof(IoTestResult.IOPS)) && members.ContainsKey(nameof(IoTestResult.Source)))
        {
            var made = members.GetValueOrDefault(nameof(IoTestResult.Specification));
            // A table keeps no more of a specification than its name.
            return Unwrap(made) is null or string ? throw NoSpecification(Text(members.GetValueOrDefault(nameof(IoTestResult.Path)))) : ToSpecification(made);
        }
        if (!members.ContainsKey(nameof(IoTestSpecification.Targets)) || !members.ContainsKey(nameof(IoTestSpecification.BlockSize)))
            throw IoBenchException.Usage("IoBench.NotASpecification",
                $"{Describe(value)} is not a test specification. Give what New-IoTestSpecification or ConvertFrom-IoCommandLine puts out.", Text(value));
        return (IoTestSpecification)Make(members, typeof(IoTestSpecification));
    }

    private static IoBenchException NoSpecification(string? path) => IoBenchException.Usage("IoBench.NoSpecification",
        $"The result of {path} does not tell how it was made: it cannot be repeated. Give what Import-IoResult reads from a JSON file of IoBench, or the test's parameters.", path);

    private static object? Convert(object? value, Type type)
    {
        var target = Nullable.GetUnderlyingType(type) ?? type;
        var plain = Unwrap(value);
        if (plain is null || (plain is string { Length: 0 } && target != typeof(string)))
            return null;
        if (target.IsInstanceOfType(plain))
            return plain;
        if (target == typeof(string))
            return Text(plain);
        if (target.IsEnum)
            // A deserialized enum value is its number; ToString of either gives what Enum.Parse reads.
            return Enum.Parse(target, Text(plain), ignoreCase: true);
        if (target == typeof(DateTimeOffset))
            return ToDateTimeOffset(plain, value);
        if (target == typeof(TimeSpan))
            return plain is string span ? TimeSpan.Parse(span, CultureInfo.InvariantCulture) : Make(Members(value), target);
        if (plain is IConvertible number && typeof(IConvertible).IsAssignableFrom(target))
            return System.Convert.ChangeType(number, target, CultureInfo.InvariantCulture);
        if (target.IsGenericType && target.GetGenericTypeDefinition() == typeof(List<>))
            return ToList(plain, target);
        if (target == typeof(Dictionary<string, string>))
            return Members(value).ToDictionary(m => m.Key, m => Text(Unwrap(m.Value)));
        return Make(Members(value), target);
    }

    private static object ToList(object plain, Type type)
    {
        var list = (IList)Activator.CreateInstance(type)!;
        var element = type.GetGenericArguments()[0];
        // A table keeps a list of texts as one text: "a; b".
        var items = plain is string text ? text.Split("; ", StringSplitOptions.RemoveEmptyEntries)
            : plain as IEnumerable ?? new[] { plain };
        foreach (var item in items)
            if (Convert(item, element) is { } converted)
                list.Add(converted);
        return list;
    }

    private static DateTimeOffset ToDateTimeOffset(object plain, object? value)
    {
        if (plain is DateTime time)
            return new DateTimeOffset(time);
        if (plain is string text)
            return DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal);
        var members = Members(value);
        return new DateTimeOffset((DateTime)Convert(members["UtcDateTime"], typeof(DateTime))!)
            .ToOffset((TimeSpan)Convert(members["Offset"], typeof(TimeSpan))!);
    }

    /// <summary>A new object whose constructor arguments and settable properties are taken from the members of the same name.</summary>
    private static object Make(IReadOnlyDictionary<string, object?> members, Type type)
    {
        var constructor = type.GetConstructor(Type.EmptyTypes) ?? type.GetConstructors().OrderBy(c => c.GetParameters().Length).FirstOrDefault()
            ?? throw new MissingMethodException(type.FullName, ".ctor");
        var arguments = constructor.GetParameters()
            .Select(p => Convert(members.GetValueOrDefault(p.Name!), p.ParameterType) ?? (p.HasDefaultValue ? p.DefaultValue : null));
        var made = constructor.Invoke([.. arguments]);
        foreach (var (name, value) in members)
        {
            var property = type.GetProperty(name, PublicProperties);
            if (property?.SetMethod is null || !property.SetMethod.IsPublic)
                continue;
            try
            {
                if (Convert(value, property.PropertyType) is { } converted)
                    property.SetValue(made, converted);
            }
            catch (Exception error) when (error is FormatException or InvalidCastException or OverflowException or ArgumentException)
            {
                throw IoBenchException.InvalidData("IoBench.InvalidProperty",
                    $"{property.Name}: '{Text(Unwrap(value))}' is not a {(Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType).Name}.", name, error);
            }
        }
        return made;
    }

    /// <summary>Names and values of an object: a dictionary's entries, PowerShell's properties or .NET's.</summary>
    private static Dictionary<string, object?> Members(object? value)
    {
        var members = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        var plain = Unwrap(value);
        if (plain is IDictionary dictionary)
        {
            foreach (DictionaryEntry entry in dictionary)
                members[Text(entry.Key)] = entry.Value;
        }
        else if (value is not null && IsPSObject(value))
        {
            foreach (var member in (IEnumerable)value.GetType().GetProperty("Properties")!.GetValue(value)!)
                members[(string)Property(member, "Name")!] = Property(member, "Value");
        }
        else if (plain is not (null or string or ValueType))
        {
            foreach (var property in plain.GetType().GetProperties().Where(p => p.GetIndexParameters().Length == 0))
                members[property.Name] = property.GetValue(plain);
        }
        return members;
    }

    private static object? Property(object member, string name) => member.GetType().GetProperty(name)!.GetValue(member);

    private static bool IsPSObject(object value) => value.GetType().FullName == "System.Management.Automation.PSObject";

    /// <summary>The object inside PowerShell's wrapper.</summary>
    private static object? Unwrap(object? value)
        => value is not null && IsPSObject(value) ? Property(value, "BaseObject") : value;

    private static string Text(object? value) => System.Convert.ToString(Unwrap(value), CultureInfo.InvariantCulture) ?? "";

    private static string Describe(object? value) => Unwrap(value) switch
    {
        null => "null",
        string text => $"the text '{text}'",
        var plain when plain.GetType().Name == "PSCustomObject" => "an object without Source and IOPS",
        var plain => $"a {plain.GetType().Name}",
    };
}
