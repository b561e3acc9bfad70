using System.Globalization;
using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Validates a number of threads: 1 to 1,024, or Auto for one thread per logical processor.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class ValidateThreadCountAttribute : ValidateEnumeratedArgumentsAttribute
{
    protected override void ValidateElement(object element)
    {
        var text = DeserializedObject.Unwrap(element)?.ToString()?.Trim() ?? "";
        if (
            !text.Equals("Auto", StringComparison.OrdinalIgnoreCase)
            && !(
                int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                && count is >= 1 and <= SpecificationValidator.MaxThreads
            )
        )
            throw new ValidationMetadataException(
                $"'{text}' is not a thread count. Use 1 to {SpecificationValidator.MaxThreads}, or Auto for one thread per logical processor."
            );
    }
}
