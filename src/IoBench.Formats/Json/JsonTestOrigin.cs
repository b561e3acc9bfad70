using System.Text.Json.Serialization.Metadata;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class JsonResultOptions
{
    public static void FlattenOrigin(JsonTypeInfo test)
    {
        var extension = test.Properties.First(p => p.PropertyType == typeof(IoTestExtension));
        var place = test.Properties.IndexOf(extension);
        test.Properties.RemoveAt(place);
        AddOriginProperty(test, place++, "commandLine", o => o.CommandLine, (o, v) => o.CommandLine = v);
        AddOriginProperty(test, place++, "sourceFile", o => o.SourceFile, (o, v) => o.SourceFile = v);
        AddOriginProperty(test, place++, "sourceLine", o => o.SourceLine, (o, v) => o.SourceLine = v);
        AddOriginProperty(test, place++, "outputFile", o => o.OutputFile, (o, v) => o.OutputFile = v);
        AddOriginProperty(test, place++, "diskSpd", o => o.DiskSpd, (o, v) => o.DiskSpd = v);
        AddOriginProperty(test, place, "sqlio", o => o.Sqlio, (o, v) => o.Sqlio = v);
    }

    private static void AddOriginProperty<T>(
        JsonTypeInfo test,
        int place,
        string name,
        Func<TestOrigin, T?> get,
        Action<TestOrigin, T?> set
    )
    {
        var property = JsonMetadataServices.CreatePropertyInfo(
            test.Options,
            new JsonPropertyInfoValues<T?>
            {
                IsProperty = true,
                IsPublic = true,
                DeclaringType = typeof(IoTestSpecification),
                PropertyName = name,
                JsonPropertyName = name,
                Getter = owner => ((IoTestSpecification)owner).Extension is TestOrigin origin ? get(origin) : default,
                Setter = (owner, value) =>
                {
                    if (value is not null)
                        set(((IoTestSpecification)owner).GetOrAddOrigin(), value);
                },
            }
        );
        property.ShouldSerialize = (_, value) => value is not null;
        test.Properties.Insert(place, property);
    }
}
