function ConvertTo-IoRow {
    [CmdletBinding()]
    [OutputType([pscustomobject])]
    param(
        [Parameter(Mandatory, Position = 0, ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject
    )

    begin {
        # Scalars in the order the type declares them; a database table needs the same columns from every result.
        $properties = [IoBench.Engine.IoTestResult].GetProperties().Where({
                $type = [System.Nullable]::GetUnderlyingType($_.PropertyType) ?? $_.PropertyType
                $type.IsPrimitive -or $type.IsEnum -or $type -in [string], [datetimeoffset] -or $_.Name -eq 'Warnings'
            })
    }

    process {
        foreach ($result in $InputObject) {
            $row = [ordered]@{}
            foreach ($property in $properties) {
                $value = $property.GetValue($result)
                $row[$property.Name] = if ($property.Name -eq 'Warnings') {
                    $value.Count -gt 0 ? $value -join '; ' : $null
                } elseif ($value -is [enum]) {
                    $value.ToString()
                } else {
                    $value
                }
            }
            [pscustomobject]$row
        }
    }
}
