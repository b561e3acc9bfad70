using System.Collections;
using System.Globalization;

namespace IoBench.PowerShell.Binding;

/// <summary>What was bought, as a parameter takes it: the name of an offer, figures as text, or a hashtable of them.</summary>
internal static class BoughtStorage
{
    /// <summary>The specification; null where nothing was given.</summary>
    /// <exception cref="IoBenchException">It cannot be read.</exception>
    public static StorageSpecification? Read(object? value) => DeserializedObject.Unwrap(value) switch
    {
        null => null,
        IDictionary values => StorageSpecification.Parse(values),
        var text => Convert.ToString(text, CultureInfo.InvariantCulture) is { Length: > 0 } written ? StorageSpecification.Parse(written) : null,
    };
}
