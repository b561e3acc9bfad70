using System.Collections;
using System.Globalization;
using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>What <see cref="InputAttribute"/> does with the value of a parameter.</summary>
public enum InputRule
{
    /// <summary>Converts an empty string or DBNull from a table cell to null, as if the column did not exist.</summary>
    EmptyAsNull,

    /// <summary>Joins a list with commas, because PowerShell parses unquoted <c>8KB:60,64KB:40</c> as a list.</summary>
    JoinWithCommas,

    /// <summary>Accepts a latency limit with a unit, such as 5ms or 15s. A number without a unit is milliseconds.</summary>
    Milliseconds,

    /// <summary>Refuses a list with a clear message, because PowerShell parses <c>1,5</c> as two numbers.</summary>
    OneDuration,

    /// <summary>Refuses numbers, dates, and other values as paths, because PowerShell converts each of them to text.</summary>
    PathText,

    /// <summary>Accepts results, and snapshots of sys.dm_io_virtual_file_stats. Any other object does not bind.</summary>
    ResultOrSnapshot,

    /// <summary>Accepts limits with a unit, such as 5ms, in the tables of -Rule. Names the settings if a key is not one, because the error
    /// of PowerShell lists the types of all properties.</summary>
    RuleTable,
}

/// <summary>Converts or refuses the value of a parameter before PowerShell binds it.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class InputAttribute(InputRule rule) : ArgumentTransformationAttribute
{
    private static readonly string[] s_ruleKeys = [.. typeof(IoRule).GetProperties().Where(key => key.CanWrite).Select(key => key.Name)];

    public InputRule Rule { get; } = rule;

    public override bool TransformNullOptionalParameters => Rule != InputRule.EmptyAsNull;

    public override object? Transform(EngineIntrinsics engineIntrinsics, object? inputData)
    {
        var value = DeserializedObject.Unwrap(inputData);
        return Rule switch
        {
            InputRule.EmptyAsNull => value is DBNull or string { Length: 0 } ? null : inputData,
            InputRule.JoinWithCommas => value is IList list
                ? string.Join(
                    ',',
                    list.Cast<object?>().Select(part => Convert.ToString(DeserializedObject.Unwrap(part), CultureInfo.InvariantCulture))
                )
                : inputData,
            InputRule.Milliseconds => ReadMilliseconds(inputData),
            InputRule.OneDuration => value is IList
                ? throw new ArgumentTransformationMetadataException(
                    "Specify only one duration, such as 5, 90s, or 5m. This parameter does not accept a list."
                )
                : inputData,
            InputRule.PathText => GetItems(inputData).Select(DeserializedObject.Unwrap).OfType<ValueType>().FirstOrDefault() is { } wrong
                ? throw new ArgumentTransformationMetadataException(PathResolver.CreateNotAPathError(wrong).Message)
                : inputData,
            InputRule.ResultOrSnapshot => ReadResults(inputData, engineIntrinsics),
            InputRule.RuleTable => GetItems(inputData)
                .Select(item => DeserializedObject.Unwrap(item) is IDictionary table ? ReadRule(table) : item)
                .ToArray(),
            _ => throw new NotSupportedException($"The input rule {Rule} has no conversion."),
        };
    }

    private static IEnumerable<object?> GetItems(object? input) =>
        DeserializedObject.Unwrap(input) is IList list ? list.Cast<object?>() : [input];

    private static object? ReadMilliseconds(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            // PowerShell reads an unquoted 15s as a number of the type short.
            short seconds => seconds * 1000.0,
            string { Length: > 0 } text when char.IsLetter(text[^1]) && IoDuration.TryParse(text, out var limit) => limit.TotalSeconds
                * 1000,
            _ => value,
        };

    private static object? ReadResults(object? input, EngineIntrinsics engine) =>
        DeserializedObject.Unwrap(input) switch
        {
            null => input,
            // A list can be one snapshot, or a list of results or snapshots.
            IEnumerable list and not (string or IDictionary or System.Data.DataTable) => list.Cast<object?>()
                .Select(item => ReadResult(item, engine.SessionState))
                .ToArray(),
            _ => new[] { ReadResult(input, engine.SessionState) },
        };

    private static object? ReadResult(object? item, SessionState state)
    {
        if (item is null || FileStatsInput.IsSnapshot(item, state))
            return item;
        try
        {
            return LanguagePrimitives.ConvertTo(item, typeof(IoTestResult), CultureInfo.InvariantCulture);
        }
        catch (PSInvalidCastException error)
        {
            throw new ArgumentTransformationMetadataException(error.Message, error);
        }
    }

    private static Hashtable ReadRule(IDictionary table)
    {
        var rule = new Hashtable(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry entry in table)
        {
            var key = DeserializedObject.ToText(entry.Key);
            if (!s_ruleKeys.Contains(key, StringComparer.OrdinalIgnoreCase))
                throw new ArgumentTransformationMetadataException(
                    $"'{key}' is not a setting of a rule. Use {string.Join(", ", s_ruleKeys)}."
                );
            rule[key] = key.EndsWith("Ms", StringComparison.OrdinalIgnoreCase) ? ReadMilliseconds(entry.Value) : entry.Value;
        }
        return rule;
    }
}
