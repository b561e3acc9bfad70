using System.Collections;
using System.Data;
using System.Globalization;
using System.Management.Automation;
using System.Reflection;
using System.Text.Json.Serialization;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Restores IoBench types from deserialized objects (from jobs, remoting, CliXml, JSON, or CSV), also if a parameter requires a
/// result or a specification: IoBench.Types.ps1xml names this class for both types. Cells of a table are in the session's culture
/// (Export-Csv) or invariant (IoBench's files, databases).</summary>
public sealed class DeserializedObject : PSTypeConverter
{
    private const BindingFlags PublicProperties = BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase;

    /// <exception cref="IoBenchException"><c>IoBench.NotAResult</c>: the object does not have the properties of a result.</exception>
    public static IoTestResult ToResult(object? value)
    {
        if (Unwrap(value) is IoTestResult result)
            return result;
        var members = GetMembers(value);
        if (!IsResult(members))
            throw IoBenchException.Usage(
                "IoBench.NotAResult",
                $"{DescribeValue(value, "Source and IOPS")} is not a test result.",
                ToText(value),
                advice: "Pass the objects that Invoke-IoTest or Import-IoResult returns."
            );
        return (IoTestResult)CreateObject(members, typeof(IoTestResult));
    }

    /// <summary>A result converts to the specification that produced it.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotASpecification</c>: properties of a specification are missing.</exception>
    public static IoTestSpecification ToSpecification(object? value)
    {
        if (Unwrap(value) is IoTestSpecification specification)
            return specification;
        if (Unwrap(value) is IoTestResult result)
            return result.Specification ?? throw CreateNoSpecificationError(result.Path);
        var members = GetMembers(value);
        if (IsResult(members))
        {
            var specificationValue = members.GetValueOrDefault(nameof(IoTestResult.Specification));
            // A table contains only the name of a specification.
            return Unwrap(specificationValue) is null or string
                ? throw CreateNoSpecificationError(ToText(members.GetValueOrDefault(nameof(IoTestResult.Path))))
                : ToSpecification(specificationValue);
        }
        if (!members.ContainsKey(nameof(IoTestSpecification.Targets)) || !members.ContainsKey(nameof(IoTestSpecification.BlockSize)))
            throw IoBenchException.Usage(
                "IoBench.NotASpecification",
                $"{DescribeValue(value, "Targets and BlockSize")} is not a test specification.",
                ToText(value),
                advice: "Pass the objects that New-IoTestSpecification or ConvertFrom-IoCommandLine returns."
            );
        return CreateSpecification(members);
    }

    internal static DateTimeOffset? ToTime(object? value) => (DateTimeOffset?)ConvertValue(value, typeof(DateTimeOffset));

    internal static Dictionary<string, object?> GetMembers(object? value)
    {
        var members = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        var plain = Unwrap(value);
        if (plain is IDictionary dictionary)
        {
            foreach (DictionaryEntry entry in dictionary)
                members[ToText(entry.Key)] = entry.Value;
        }
        else if ((plain as DataRow ?? (plain as DataRowView)?.Row) is { } row)
        {
            foreach (DataColumn column in row.Table.Columns)
                members[column.ColumnName] = row[column];
        }
        else if (plain is not (null or string or ValueType))
        {
            foreach (var property in PSObject.AsPSObject(value).Properties.Where(p => p.IsGettable))
                members[property.Name] = property.Value;
        }
        return members;
    }

    internal static object? Unwrap(object? value) => value is PSObject wrapper ? wrapper.BaseObject : value;

    internal static bool IsResult(object? value) => Unwrap(value) is IoTestResult || IsResult(GetMembers(value));

    internal static bool IsSavedTest(Dictionary<string, object?> members) =>
        IsResult(members)
        || (members.ContainsKey(nameof(IoTestSpecification.Targets)) && members.ContainsKey(nameof(IoTestSpecification.BlockSize)));

    private static bool IsResult(Dictionary<string, object?> members) =>
        members.ContainsKey(nameof(IoTestResult.IOPS)) && members.ContainsKey(nameof(IoTestResult.Source));

    private static IoBenchException CreateNoSpecificationError(string? path) =>
        IoBenchException.Usage(
            "IoBench.NoSpecification",
            $"The result for {path} does not contain the settings of its test, so IoBench cannot repeat it.",
            path,
            advice: "Use a result from an IoBench JSON file (Import-IoResult), or specify the parameters of the test."
        );

    private static object? ConvertValue(object? value, Type type)
    {
        var target = Nullable.GetUnderlyingType(type) ?? type;
        var plain = Unwrap(value);
        if (plain is null or DBNull || (plain is string { Length: 0 } && target != typeof(string)))
            return null;
        if (target.IsInstanceOfType(plain))
            return plain;
        if (target == typeof(string))
            return ToText(plain);
        if (target.IsEnum)
            // A deserialized enum value is a number. Enum.Parse accepts the text of both the number and the name.
            return Enum.Parse(target, ToText(plain), ignoreCase: true);
        if (target == typeof(DateTimeOffset))
            return ToDateTimeOffset(plain, value);
        if (target == typeof(TimeSpan))
            return plain is string span ? TimeSpan.Parse(span, CultureInfo.InvariantCulture) : CreateObject(GetMembers(value), target);
        if (plain is string text && IsNumber(target))
            return ParseNumber(text, target);
        if (plain is IConvertible number && typeof(IConvertible).IsAssignableFrom(target))
            return System.Convert.ChangeType(number, target, CultureInfo.InvariantCulture);
        if (target == typeof(IoTestSpecification))
            return CreateSpecification(GetMembers(value));
        if (target == typeof(IoTestExtension))
            return CreateObject(GetMembers(value), typeof(TestOrigin));
        if (target.IsGenericType && target.GetGenericTypeDefinition() == typeof(IReadOnlyList<>))
            return ToList(plain, typeof(List<>).MakeGenericType(target.GetGenericArguments()));
        if (target.IsGenericType && target.GetGenericTypeDefinition() == typeof(List<>))
            return ToList(plain, target);
        if (target == typeof(Dictionary<string, string>))
            return GetMembers(value).ToDictionary(m => m.Key, m => ToText(Unwrap(m.Value)));
        return CreateObject(GetMembers(value), target);
    }

    /// <summary>The test's origin is a separate object (job, remoting), or it is among the test's own properties (JSON).</summary>
    private static IoTestSpecification CreateSpecification(Dictionary<string, object?> members)
    {
        var test = (IoTestSpecification)CreateObject(members, typeof(IoTestSpecification));
        if (test.Extension is null && typeof(TestOrigin).GetProperties().Any(p => Unwrap(members.GetValueOrDefault(p.Name)) is not null))
            test.Extension = (TestOrigin)CreateObject(members, typeof(TestOrigin));
        return test;
    }

    private static object ToList(object plain, Type type)
    {
        var list = (IList)Activator.CreateInstance(type)!;
        var element = type.GetProperty("Item")!.PropertyType;
        // A table contains a list of texts as one text: "a; b".
        var items = plain is string text
            ? text.Split("; ", StringSplitOptions.RemoveEmptyEntries)
            : plain as IEnumerable ?? new[] { plain };
        foreach (var item in items)
            if (ConvertValue(item, element) is { } converted)
                list.Add(converted);
        return list;
    }

    private static DateTimeOffset ToDateTimeOffset(object plain, object? value)
    {
        if (plain is DateTime time)
            return new DateTimeOffset(time);
        if (plain is string text)
            return ParseTime(text);
        var members = GetMembers(value);
        return new DateTimeOffset((DateTime)ConvertValue(members["UtcDateTime"], typeof(DateTime))!).ToOffset(
            (TimeSpan)ConvertValue(members["Offset"], typeof(TimeSpan))!
        );
    }

    private static object CreateObject(IReadOnlyDictionary<string, object?> members, Type type)
    {
        var constructor =
            type.GetConstructor(Type.EmptyTypes)
            ?? type.GetConstructors().OrderBy(c => c.GetParameters().Length).FirstOrDefault()
            ?? throw new MissingMethodException(type.FullName, ".ctor");
        var arguments = constructor
            .GetParameters()
            .Select(p => ConvertValue(members.GetValueOrDefault(p.Name!), p.ParameterType) ?? (p.HasDefaultValue ? p.DefaultValue : null));
        var instance = constructor.Invoke([.. arguments]);
        foreach (var (name, value) in members)
        {
            var property = type.GetProperty(name, PublicProperties);
            // JSON does not contain these properties: rate, order, and content are restored from their flat settings.
            if (property?.SetMethod is not { IsPublic: true } || property.IsDefined(typeof(JsonIgnoreAttribute)))
                continue;
            try
            {
                if (ConvertValue(value, property.PropertyType) is { } converted)
                    property.SetValue(instance, converted);
            }
            catch (Exception error) when (error is FormatException or InvalidCastException or OverflowException or ArgumentException)
            {
                var expected = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
                throw IoBenchException.InvalidData(
                    "IoBench.InvalidProperty",
                    $"{property.Name}: '{ToText(Unwrap(value))}' is not {NumberFormat.WithArticle(expected.Name)}.",
                    name,
                    error
                );
            }
        }
        return instance;
    }

    internal static string ToText(object? value) => System.Convert.ToString(Unwrap(value), CultureInfo.InvariantCulture) ?? "";

    private static string DescribeValue(object? value, string missing) =>
        Unwrap(value) switch
        {
            null => "null",
            string text => $"the text '{text}'",
            PSCustomObject => $"an object without {missing}",
            var plain => NumberFormat.WithArticle(plain.GetType().Name),
        };

    private const NumberStyles Styles = NumberStyles.Float;

    private static bool IsNumber(Type type) =>
        type == typeof(double) || type == typeof(int) || type == typeof(long) || type == typeof(ulong) || type == typeof(decimal);

    /// <summary>Thousands separators are not accepted, because the same text can be another number in another culture (1,234).</summary>
    private static object ParseNumber(string text, Type type)
    {
        if (type == typeof(double))
        {
            return
                double.TryParse(text, Styles, CultureInfo.InvariantCulture, out var number)
                || double.TryParse(text, Styles, CultureInfo.CurrentCulture, out number)
                ? number
                : throw new FormatException(text);
        }
        var exact =
            decimal.TryParse(text, Styles, CultureInfo.InvariantCulture, out var value)
            || decimal.TryParse(text, Styles, CultureInfo.CurrentCulture, out value)
                ? value
                : throw new FormatException(text);
        return System.Convert.ChangeType(exact, type, CultureInfo.InvariantCulture);
    }

    /// <summary>In some cultures, <c>50,5</c> is a number and not a list. Returns any other value unchanged.</summary>
    internal static object? ParseCell(OptionRow? column, object? value) =>
        value is string text
        && column is { Count: OptionValueCount.One, Kind.IsDecimal: true }
        && (
            double.TryParse(text, Styles, CultureInfo.InvariantCulture, out var number)
            || double.TryParse(text, Styles, CultureInfo.CurrentCulture, out number)
        )
            ? number
            : value;

    /// <summary>Reads a date such as 01/03/2026 in the session's culture, because the invariant culture would return another day.</summary>
    private static DateTimeOffset ParseTime(string text)
    {
        var isSortable = text.Length > 10 && char.IsAsciiDigit(text[0]) && text[4] == '-' && text[7] == '-' && text[10] is 'T' or ' ';
        if (isSortable && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var time))
            return time;
        return DateTimeOffset.TryParse(text, CultureInfo.CurrentCulture, DateTimeStyles.AssumeLocal, out time)
            ? time
            : DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal);
    }

    internal static PSObject CreateSortableTime(DateTimeOffset time)
    {
        var value = new PSObject(time);
        value.Methods.Add(new PSCodeMethod(nameof(ToString), ((Func<PSObject, string>)FormatSortableTime).Method), preValidated: true);
        return value;
    }

    /// <summary>PowerShell requires a public method. ISO 8601, so that Export-Csv writes the same text in every culture.</summary>
    public static string FormatSortableTime(PSObject value) =>
        ((DateTimeOffset)value.BaseObject).ToString("O", CultureInfo.InvariantCulture);

    public override bool CanConvertFrom(object sourceValue, Type destinationType) =>
        sourceValue is PSObject || (sourceValue is IoTestResult && destinationType == typeof(IoTestSpecification));

    public override object ConvertFrom(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        destinationType == typeof(IoTestSpecification) ? ToSpecification(sourceValue) : ToResult(sourceValue);

    public override bool CanConvertTo(object sourceValue, Type destinationType) => false;

    public override object ConvertTo(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        throw new NotSupportedException();
}
